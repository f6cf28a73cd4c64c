import type { ChatEvent, InitialState } from '../../chat/session.ts';
import { type Batch, SourceCell } from './cell.ts';
import type { Cell, ChatStore, CustomEmoji, EmojiTable, Organization } from './types.ts';

type PublicEmoji = ChatStore['emoji'];

interface Dependencies {
  organization: Cell<Organization | undefined>;
  /** Address of the server, if it differs from its own. */
  site: string | undefined;
}

/** The emoji of the organization and of the server. */
export class Emoji implements PublicEmoji {
  readonly custom: SourceCell<ReadonlyMap<string, CustomEmoji>>;
  #table: Promise<EmojiTable> | undefined;

  constructor(
    batch: Batch,
    private readonly dependencies: Dependencies,
  ) {
    this.custom = new SourceCell<ReadonlyMap<string, CustomEmoji>>(batch, new Map());
  }

  async table(): Promise<EmojiTable> {
    const { organization, site } = this.dependencies;
    const { server_emoji_data_url: url = '', realm_url = '' } = organization.get() ?? {};
    if (!url) return { names: new Map(), codes: new Map() };
    const address = site !== undefined && url.startsWith(realm_url) ? site + url.slice(realm_url.length) : url;
    this.#table ??= fetchTable(address).catch((error: unknown) => {
      this.#table = undefined;
      throw error;
    });
    return this.#table;
  }

  reset({ realm_emoji }: InitialState<'realm_emoji'>): void {
    const active = Object.values(realm_emoji).filter(({ deactivated }) => !deactivated);
    const records = active.map(({ id, name, source_url }) => ({ name, code: String(id), url: source_url }));
    this.custom.set(new Map(records.map((record) => [record.name, record])));
  }

  apply(event: ChatEvent): void {
    if (event.type === 'realm_emoji' && event.op === 'update') this.reset(event);
  }
}

async function fetchTable(url: string): Promise<EmojiTable> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answers with status ${answer.status}.`);
  // In the order of the file, which is that of groups. JSON.parse would put codes such as 2600 first.
  const entries = (await answer.text()).matchAll(/"([\da-f-]+)":(\[[^\]]*\])/g);
  const names = new Map([...entries].map(([, code = '', list = '']) => [code, JSON.parse(list) as string[]]));
  const codes = new Map<string, string>();
  for (const [code, given] of names) for (const name of given) codes.set(name, code);
  return { names, codes };
}

/** The characters of an emoji, from its code: `1f1e9-1f1ea`. */
export const emojiCharacter = (code: string) =>
  String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
