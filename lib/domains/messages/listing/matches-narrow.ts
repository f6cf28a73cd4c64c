import * as v from 'valibot';
import { BadNarrow } from '../../../base/errors.ts';
import { describe, id, list } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { messageViewParams } from '../message-view.ts';
import { matchExtent, narrowParam } from '../message-window.ts';
import { queryOf } from '../narrow.ts';
import { searchHits, showMessages } from './show-messages.ts';

/** As many IDs as fit into a URL. */
const MAX_IDS = 1_000;

export const matchesNarrow = defineOperation({
  name: 'messages.matchesNarrow',
  http: 'GET /messages/matches_narrow',
  summary: 'Check which messages match a narrow',
  description: 'For clients that keep a narrow up to date when new messages arrive. Skips messages you cannot read.',
  example: { msg_ids: [7, 8], narrow: [{ operator: 'search', operand: 'soup' }] },
  access: 'user',
  params: {
    msg_ids: describe(list(id, MAX_IDS), 'Message IDs.'),
    narrow: describe(narrowParam, 'As for `messages.list`.'),
    strict_content: messageViewParams.strict_content,
  },
  result: v.object({
    messages: describe(
      v.record(v.string(), v.object({ match_content: v.string(), match_subject: v.string() })),
      'Matching messages by ID: content and topic as HTML, with search matches highlighted.',
    ),
  }),
  errors: [BadNarrow],
  extent: ({ msg_ids }) => matchExtent(msg_ids.length),
  async run(context, { msg_ids, narrow, strict_content }) {
    const { tx } = context;
    const { query, search } = await queryOf(context, narrow);
    if (!query || msg_ids.length === 0) return { messages: {} };
    const terms = [{ test: 'ids' as const, ids: msg_ids }, ...(query.terms ?? [])];
    const found = await tx.messages.fetchIds({ ...query, terms }, -1, 'after', MAX_IDS);
    const readable = await context.viewer.readableMessages(await tx.messages.byIds(found));
    const ids = readable.map(({ id }) => id);
    const options = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: false, strict_content };
    const hits = search ? searchHits(search) : { mark: (html: string) => html };
    const shown = await showMessages(context, ids, { ...options, hits });
    return {
      messages: Object.fromEntries(
        shown.map(({ id, match_content = '', match_subject = '' }) => [id, { match_content, match_subject }]),
      ),
    };
  },
});
