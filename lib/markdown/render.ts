import { uploadPath } from './addresses.ts';
import { normalizeSource } from './blocks/block.ts';
import { parseDocument } from './blocks/parse.ts';
import type { Linkifier, References, RenderData, RenderedMessage } from './data.ts';
import { escapeText } from './html.ts';
import { HtmlRenderer } from './html-renderer.ts';
import { CHANNEL_LINK, GROUP_MENTION, readMention, TOPIC_LINK, USER_MENTION, wildcardOf } from './inline/mentions.ts';
import { RenderState } from './render-state.ts';

/** Most UTF-16 code units of HTML: a page contains a hundred messages. Longer ones are shown as plain source. */
const MAX_HTML = 100_000;

const UPLOAD = '/user_uploads/';
const UPLOADED = /\/user_uploads\/([0-9]{1,9}\/[0-9a-f]{1,2}\/[\w-]{24})\//g;

/** Most names of one kind that are looked up for a message. */
const MAX_LOOKED_UP = 300;

/**
 * Names that a message may refer to, read from its Markdown without rendering. Includes names in code and quotes, so
 * use it only for lookups, not to find mentions.
 */
export function parseMessage(content: string): References {
  const references: References = {
    users: [],
    groups: [],
    channels: [],
    topics: [],
    uploads: [],
    customEmoji: [],
  };
  const source = normalizeSource(content);
  if (source.includes('@')) readMentions(source, references);
  if (source.includes('#**')) readChannels(source, references);
  if (source.includes(UPLOAD)) references.uploads = unique(source.matchAll(UPLOADED));
  if (source.includes(':')) references.customEmoji = unique(source.matchAll(/:([\w+-]+)(?=:)/g));
  return references;
}

function readMentions(content: string, references: References): void {
  const texts = new Set<string>();
  for (const [, , name = ''] of content.matchAll(USER_MENTION)) {
    if (!wildcardOf(name) && texts.size < MAX_LOOKED_UP) texts.add(name);
  }
  references.users = [...texts].map(readMention);
  references.groups = unique(content.matchAll(GROUP_MENTION), 2);
}

function readChannels(content: string, references: References): void {
  const channels = new Set(unique(content.matchAll(CHANNEL_LINK)));
  const topics = new Map<string, { channel: string; topic: string }>();
  for (const [, channel = '', topic = ''] of content.matchAll(TOPIC_LINK)) {
    if (topics.size >= MAX_LOOKED_UP) break;
    channels.add(channel);
    topics.set(`${channel}>${topic}`, { channel, topic });
  }
  references.channels = [...channels];
  references.topics = [...topics.values()];
}

function unique(matches: Iterable<RegExpMatchArray>, group = 1): string[] {
  const found = new Set<string>();
  for (const match of matches) {
    if (found.size >= MAX_LOOKED_UP) break;
    if (match[group]) found.add(match[group]);
  }
  return [...found];
}

/**
 * Renders a message to HTML and collects mentions and links. Looks nothing up: pass the objects that `parseMessage`
 * finds in `data`. Missing objects stay text.
 */
export function renderMessage(content: string, data: RenderData = {}): RenderedMessage {
  const state = new RenderState(data);
  const source = normalizeSource(content);
  const renderer = new HtmlRenderer(state);
  renderer.add(parseDocument(source, state.options.defaultCodeBlockLanguage || undefined));
  const html = renderer.html();
  const isTooLong = html.length > MAX_HTML;
  return {
    html: isTooLong ? `<p>${escapeText(content).replaceAll('\n', '<br>\n')}</p>` : html,
    previewable: isTooLong ? [] : [...renderer.previewable],
    mentionedUsers: ascending(state.mentionedUsers),
    mentionedGroups: ascending(state.mentionedGroups),
    wildcards: state.wildcards,
    links: state.links,
    attachmentPaths: attachmentPaths(state),
    isMe: content.startsWith('/me '),
  };
}

/** HTML of Markdown without mentions, for descriptions. */
export function renderMarkdown(content: string, linkifiers: readonly Linkifier[] = []): string {
  return renderMessage(content, { linkifiers, options: { inlineImagePreview: false } }).html;
}

function ascending(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}

function attachmentPaths(state: RenderState): string[] {
  const paths = new Set<string>();
  for (const url of [...state.links.map((link) => link.url), ...state.played]) {
    const path = uploadPath(url, state.options);
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}
