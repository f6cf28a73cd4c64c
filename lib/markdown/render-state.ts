import { foldTopic } from '../rules/fold.ts';
import type { MentionableGroup, MentionableUser, RenderData, RenderOptions } from './data.ts';

/** Most inline constructs per message. Further ones stay text. */
const MAX_CONSTRUCTS = 1000;
/** Most formulas per message: each needs a layout. */
const MAX_FORMULAS = 200;
/** Most bytes of TeX per formula. Longer ones would exceed MAX_FORMULA_HTML_LENGTH, but only after the layout. */
const MAX_TEX_BYTES = 3_000;
/** Most cells and lines of tables in formulas: n characters may need n² cells. */
const MAX_FORMULA_CELLS = 400;
/** Most UTF-16 code units of formula HTML, about a hundred times the source. */
const MAX_FORMULA_HTML_LENGTH = 75_000;
const CELL_ENDS = /&|\\\\|\\(?:cr|newline|hline|hdashline)(?![a-zA-Z])/g;
/** Most UTF-16 code units of highlighted code (about 150 lines): grammars take more than linear time. */
const MAX_HIGHLIGHTED_LENGTH = 6_000;
/** Most steps of linkifier searches (pattern instructions times characters): at worst a tenth of a second. */
const MAX_SEARCH_STEPS = 5_000_000;
/** Most UTF-16 code units searched for links. Links may be nested, so each may need a search of the message. */
const MAX_LINK_SEARCH_LENGTH = 100_000;

/** Returns a function that claims an amount of a limited total. False if it is spent. */
export function allowance(total: number): (amount: number) => boolean {
  let left = total;
  return (amount) => {
    left -= amount;
    return left >= 0;
  };
}

/** Input and results of rendering one message, and its limits. */
export class RenderState {
  readonly options: RenderOptions;
  readonly mentionedUsers = new Set<number>();
  readonly mentionedGroups = new Set<number>();
  readonly wildcards = { channel: false, topic: false };
  readonly links: { url: string; text: string }[] = [];
  /** Addresses of players; links are in `links`. */
  readonly played: string[] = [];
  /** Claim steps of searching for linkifiers, and UTF-16 code units that may be a link or that are to be highlighted. */
  readonly admitsSearch = allowance(MAX_SEARCH_STEPS);
  readonly admitsLinkSearch = allowance(MAX_LINK_SEARCH_LENGTH);
  readonly admitsHighlighting = allowance(MAX_HIGHLIGHTED_LENGTH);
  private constructs = 0;
  private formulas = 0;
  private tex = 0;
  private formulaCells = 0;
  private laidOut = 0;
  readonly usersById: ReadonlyMap<number, MentionableUser>;
  /** IDs by name. */
  private readonly channels: ReadonlyMap<string, number>;
  private readonly usersByName: ReadonlyMap<string, MentionableUser>;
  private readonly groups: ReadonlyMap<string, MentionableGroup>;
  private readonly topics: ReadonlyMap<string, number>;

  constructor(readonly data: RenderData) {
    this.options = data.options ?? {};
    this.usersById = new Map(data.users?.map((user) => [user.id, user]));
    this.usersByName = new Map(data.users?.map((user) => [foldTopic(user.full_name), user]));
    this.groups = new Map(data.groups?.map((group) => [foldTopic(group.name), group]));
    this.channels = new Map(data.channels?.map(({ id, name }) => [name.normalize('NFC'), id]));
    this.topics = new Map(
      data.topics?.map(({ channel_id, topic, latest_message_id }) => [topicKey(channel_id, topic), latest_message_id]),
    );
  }

  userByName(name: string): MentionableUser | undefined {
    return this.usersByName.get(foldTopic(name));
  }

  groupByName(name: string): MentionableGroup | undefined {
    return this.groups.get(foldTopic(name));
  }

  channelByName(name: string): number | undefined {
    return this.channels.get(name.normalize('NFC'));
  }

  latestMessage(channelId: number, topic: string): number | undefined {
    return this.topics.get(topicKey(channelId, topic));
  }

  admits(): boolean {
    this.constructs += 1;
    return this.constructs <= MAX_CONSTRUCTS;
  }

  /** The HTML of a construct, if there is room. A construct without HTML takes none. */
  construct(toHtml: () => string | undefined): string | undefined {
    if (!this.admits()) return undefined;
    const html = toHtml();
    if (html === undefined) this.constructs -= 1;
    return html;
  }

  /** Claims room for one more formula, its length and its cells; a longer one leaves it to those after it. */
  admitsFormula(tex: string): boolean {
    this.formulas += 1;
    const length = this.tex + Buffer.byteLength(tex);
    const cells = this.formulaCells + (tex.match(CELL_ENDS)?.length ?? 0);
    if (this.formulas > MAX_FORMULAS || length > MAX_TEX_BYTES || cells > MAX_FORMULA_CELLS) return false;
    this.tex = length;
    this.formulaCells = cells;
    return true;
  }

  /** Claims room for what a formula is laid out as; a longer one leaves it to those after it. */
  admitsLaidOut(html: string): boolean {
    if (this.laidOut + html.length > MAX_FORMULA_HTML_LENGTH) return false;
    this.laidOut += html.length;
    return true;
  }
}

const topicKey = (channelId: number, topic: string) => `${channelId}:${foldTopic(topic)}`;
