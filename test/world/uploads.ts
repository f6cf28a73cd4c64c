import type { Session } from '../../lib/index.ts';
import type { UserName } from './fixture.ts';
import type { World } from './world.ts';

/** Uploads a text file and returns its address. */
export async function uploaded(session: Session, name = 'plan.txt', content: string | Blob = 'To be'): Promise<string> {
  const { url } = await session.uploads.send({ file: new File([content], name) });
  return url;
}

/** Parameters for a temporary address of the file. */
export function temporary(url: string): { realm_id_str: string; filename: string } {
  const [, , realm_id_str = '', ...rest] = url.split('/');
  return { realm_id_str, filename: rest.join('/') };
}

/** A user's file, linked from their message in a channel. Returns its address. */
export async function posted(
  { as, channels }: World,
  user: UserName,
  channel: keyof World['channels'],
  name?: string,
): Promise<{ url: string; message_id: number }> {
  const url = await uploaded(as(user), name);
  const message = { type: 'channel', to: channels[channel], topic: 'files', content: `See [it](${url})` } as const;
  return { url, message_id: (await as(user).messages.send(message)).id };
}

/** Of the user's newest file. */
export async function newestId({ as }: World, user: UserName): Promise<number> {
  return (await as(user).uploads.list()).attachments[0]?.id ?? 0;
}
