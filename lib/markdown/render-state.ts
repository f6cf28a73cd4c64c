import type { LinkableChannel, MentionableGroup, MentionableUser, RenderData, RenderOptions } from './data.ts';

/** Most inline constructs per message. Further ones stay text. */
const MAX_CONSTRUCTS = 1000;
/** Most formulas per message: each needs a layout. */
const MAX_FORMULAS = 200;
/**
 * Most bytes of TeX per formula. Nearly all longer formulas exceed MAX_LAID_OUT, but this is known only after the
 * layout.
 */
const MAX_TEX = 3_000;
/**
 * Most cells and lines of tables in formulas. Every line is as long as the longest, so n characters may need n² cells.
 */
const MAX_FORMULA_CELLS = 400;
/**
 * Most UTF-16 code units of formula HTML, which is about a hundred times the source. Enough for some forty formulas.
 */
const MAX_LAID_OUT = 75_000;
const CELL_ENDS = /&|\\\\|\\(?:cr|newline|hline|hdashline)(?![a-zA-Z])/g;
/** Most UTF-16 code units of highlighted code (about 150 lines): grammars take more than linear time. */
const MAX_HIGHLIGHTED = 6_000;
/** Most steps of linkifier searches (pattern instructions times characters): at worst a tenth of a second. */
const MAX_SEARCH = 5_000_000;
/**
 * Most UTF-16 code units searched for links: ten times the longest message. Links may be nested, so each of n may need
 * a search of the whole message.
 */
const MAX_LINK_SEARCH = 100_000;

/** Input and results of rendering one message, and its limits. */
export class RenderState {
  readonly options: RenderOptions;
  readonly mentionedUsers = new Set<number>();
  readonly mentionedGroups = new Set<number>();
  readonly wildcards = { channel: false, topic: false };
  readonly links: { url: string; text: string }[] = [];
  /** Addresses of players; links are in `links`. */
  readonly played: string[] = [];
  hasImage = false;
  private constructs = 0;
  private formulas = 0;
  private tex = 0;
  private formulaCells = 0;
  private laidOut = 0;
  private highlighted = 0;
  private searched = 0;
  private searchedForLinks = 0;
  private readonly lookup: {
    users?: { byId: Map<number, MentionableUser>; byName: Map<string, MentionableUser> };
    groups?: Map<string, MentionableGroup>;
    channels?: Map<string, LinkableChannel>;
    topics?: Map<string, number>;
  } = {};

  readonly data: RenderData;

  constructor(data: RenderData) {
    this.data = data;
    this.options = data.options ?? {};
  }

  userById(id: number): MentionableUser | undefined {
    return this.users().byId.get(id);
  }

  userByName(name: string): MentionableUser | undefined {
    return this.users().byName.get(name.toLowerCase());
  }

  groupByName(name: string): MentionableGroup | undefined {
    this.lookup.groups ??= new Map(this.data.groups?.map((group) => [group.name.toLowerCase(), group]));
    return this.lookup.groups.get(name.toLowerCase());
  }

  channelByName(name: string): LinkableChannel | undefined {
    this.lookup.channels ??= new Map(this.data.channels?.map((channel) => [channel.name, channel]));
    return this.lookup.channels.get(name);
  }

  latestMessage(channelId: number, topic: string): number | undefined {
    this.lookup.topics ??= new Map(
      this.data.topics?.map((entry) => [`${entry.channel_id}:${entry.topic.toLowerCase()}`, entry.latest_message_id]),
    );
    return this.lookup.topics.get(`${channelId}:${topic.toLowerCase()}`);
  }

  /** Claims room for one more construct. */
  admits(): boolean {
    this.constructs += 1;
    return this.constructs <= MAX_CONSTRUCTS;
  }

  /** Claims room for one more formula, its length and its cells; a longer one leaves it to those after it. */
  admitsFormula(tex: string): boolean {
    this.formulas += 1;
    const length = this.tex + Buffer.byteLength(tex);
    const cells = this.formulaCells + (tex.match(CELL_ENDS)?.length ?? 0);
    if (this.formulas > MAX_FORMULAS || length > MAX_TEX || cells > MAX_FORMULA_CELLS) return false;
    this.tex = length;
    this.formulaCells = cells;
    return true;
  }

  /** Claims room for what a formula is laid out as; a longer one leaves it to those after it. */
  admitsLaidOut(html: string): boolean {
    if (this.laidOut + html.length > MAX_LAID_OUT) return false;
    this.laidOut += html.length;
    return true;
  }

  /** Claims steps of searching for linkifiers. */
  admitsSearch(steps: number): boolean {
    this.searched += steps;
    return this.searched <= MAX_SEARCH;
  }

  /** Claims UTF-16 code units that may be a link. */
  admitsLinkSearch(length: number): boolean {
    this.searchedForLinks += length;
    return this.searchedForLinks <= MAX_LINK_SEARCH;
  }

  /** Claims room for highlighted code, in UTF-16 code units. */
  admitsHighlighting(length: number): boolean {
    this.highlighted += length;
    return this.highlighted <= MAX_HIGHLIGHTED;
  }

  private users() {
    if (this.lookup.users) return this.lookup.users;
    const users = this.data.users ?? [];
    this.lookup.users = {
      byId: new Map(users.map((user) => [user.id, user])),
      byName: new Map(users.map((user) => [user.full_name.toLowerCase(), user])),
    };
    return this.lookup.users;
  }
}
