import type { Session } from '../../lib/index.ts';
import { channelNames, userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { channelPlace } from '../output/conversation.ts';
import { sanitize } from '../output/sanitize.ts';
import { cell, table } from '../output/table.ts';

type Draft = Awaited<ReturnType<Session['drafts']['list']>>['drafts'][number];

/** The destinations of drafts, as names. */
async function destinations(session: Session, drafts: readonly Draft[]): Promise<(draft: Draft) => string> {
  const idsOf = (type: Draft['type']) => drafts.filter((draft) => draft.type === type).flatMap(({ to }) => to);
  const channel = await channelNames(session, idsOf('stream'));
  const user = await userNames(session, idsOf('private'));
  return ({ type, to, topic }) => {
    if (type === 'stream') return to.map((id) => channelPlace(channel(id), topic)).join();
    return to.map(user).join(', ');
  };
}

export const drafts = commands('drafts', 'Drafts of messages', {
  list: {
    async done({ session, answer, terminal }) {
      if (answer.drafts.length === 0) return '';
      const to = await destinations(session, answer.drafts);
      return table(
        ['ID', 'TO', 'EDITED', 'TEXT'],
        answer.drafts.map((draft) => [
          String(draft.id),
          sanitize(to(draft)),
          cell('timestamp', draft.timestamp),
          cell('content', draft.content),
        ]),
        terminal,
      );
    },
    empty: 'You have no drafts.',
  },
  create: {
    draft: 'drafts',
    done: ({ answer: { ids } }) =>
      ids.length === 1
        ? `Saved draft ${ids[0]}.`
        : `Saved ${ids.length} drafts${ids.length ? `: ${ids.join(', ')}` : ''}.`,
    examples: [
      'drafts create --to general --topic lunch -m "Soup or"',
      'drafts create --to ben@example.com -m "A word with you"',
    ],
  },
  edit: {
    args: ['draft_id'],
    draft: 'draft',
    done: ({ parameters }) => `Changed draft ${parameters.draft_id}.`,
    examples: ['drafts edit 4 -m "Soup or salad?"', 'drafts edit 4 --to kitchen --topic menu'],
  },
  remove: {
    args: ['draft_id'],
    confirm: 'Delete this draft permanently?',
    done: ({ parameters }) => `Deleted draft ${parameters.draft_id}.`,
    examples: ['drafts remove 4'],
  },
});
