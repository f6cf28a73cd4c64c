import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { renderMarkdown } from '../../../markdown/render.ts';
import { unprintableAt } from '../../../rules/names.ts';
import type { ChannelFolder } from '../../../storage/interface/channels.ts';
import { channelDescription } from '../channel-text.ts';

/** The folder with this ID, and all folders. Includes archived folders. */
export async function accessFolder({ tx }: Pick<ReadContext, 'tx'>, id: number) {
  const folders = await tx.channels.folders();
  const folder = folders.find((one) => one.id === id);
  if (!folder) throw new BadRequest(`There is no channel folder with ID ${id}.`);
  return { folder, folders };
}

/**
 * Trims and checks a folder name.
 * @param others the other folders; only archived folders may have the same name
 * @throws BadRequest if the name is empty, has control characters or is taken
 */
export function checkedFolderName(given: string, others: readonly ChannelFolder[]): string {
  const name = given.trim();
  if (name === '') throw new BadRequest('A folder name cannot be empty.');
  if (unprintableAt(name) !== undefined) throw new BadRequest('A folder name cannot contain control characters.');
  if (others.some((folder) => !folder.is_archived && folder.name.toLowerCase() === name.toLowerCase())) {
    throw new BadRequest(`A folder named "${name}" already exists.`);
  }
  return name;
}

/** The description on one line, as Markdown and HTML. */
export function folderDescription({ organization }: Pick<ReadContext, 'organization'>, given: string) {
  const description = channelDescription(given);
  return { description, rendered_description: renderMarkdown(description, organization.linkifiers) };
}
