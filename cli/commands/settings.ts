import { Failure, UsageError } from '../failure.ts';
import { askNewPassword, isInteractive, linesOfStdin } from '../input.ts';
import { userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine, tableOf } from '../output/text.ts';
import { connectedCommand, currentState, settingsOf, showCommand, withSession } from './local-command.ts';

/** `settings password`: reads passwords from the terminal or stdin, because other users can see the command line. */
const ownPassword = connectedCommand<{ stdin?: boolean }>('password', {
  summary: 'Change your own password',
  description:
    'Change your own password. Prompts for it on the terminal. Your API key stays valid; `chatctl users regenerate-api-key` replaces it.',
  options: [['--stdin', 'read the current password (empty if none) and the new password from two lines of stdin']],
  examples: ['settings password', 'settings password --stdin < passwords.txt'],
  async run({ options, print }) {
    const given = options.stdin ? await passwordsFromStdin() : await passwordsFromTerminal();
    print(await withSession(options, (session) => session.settings.edit(given), 'human'), 'Changed your password.');
  },
});

export const settings = commands(
  'settings',
  'Your own settings',
  {
    edit: {
      // `settings password` changes these: passwords do not belong on the command line.
      without: ['old_password', 'new_password'],
      done: 'Changed your settings: {changes}.',
    },
    confirmEmail: { done: 'The address of the account is now {email}.' },
    unsubscribe: {
      args: ['token'],
      done: ({ answer: { kind, channel_name, is_on } }) => {
        const about = channel_name === undefined ? kind : `#${oneLine(channel_name)}`;
        return `The account gets ${is_on ? 'e-mails' : 'no more e-mails'} about ${about}.`;
      },
    },
  },
  showCommand('settings', 'Show your own settings', async (session) => {
    const { user_settings } = await currentState(session, 'user_settings');
    return settingsOf('settings.edit', (key) => (user_settings as Record<string, unknown>)[key]);
  }),
  ownPassword,
);

async function passwordsFromStdin() {
  const [old_password = '', new_password = ''] = await linesOfStdin();
  if (new_password !== '') return { old_password, new_password };
  throw new UsageError(
    'The new password is missing on stdin.',
    'Line 1 is the current password (empty if none), line 2 the new password.',
  );
}

async function passwordsFromTerminal() {
  if (!isInteractive()) throw new UsageError('Cannot prompt for passwords: there is no terminal.', 'Use --stdin.');
  const [new_password = '', old_password = ''] = await askNewPassword('Current password (empty if none)?');
  if (new_password === '') throw new Failure('The password was not changed.');
  return { old_password, new_password };
}

export const avatars = commands('avatars', 'Your profile picture', {
  upload: {
    args: ['file'],
    examples: ['avatars upload ./me.jpg'],
    done: 'Changed your profile picture:\n{avatar_url}',
  },
  remove: {
    confirm: 'Remove your profile picture permanently?',
    done: 'Removed your profile picture. The generated picture:\n{avatar_url}',
  },
});

const words = { parameter: 'alert_words', label: 'WORD' } as const;

const listed = (all: readonly string[]) =>
  all.length === 0
    ? 'You have no alert words.'
    : `Your alert words: ${all.map((word) => JSON.stringify(word)).join(', ')}.`;

export const alertWords = commands('alertWords', 'Words that notify you in any message', {
  list: { done: ({ answer }) => answer.alert_words.join('\n') },
  add: { args: [words], done: ({ answer }) => listed(answer.alert_words) },
  remove: { undo: 'alert-words add', args: [words], done: ({ answer }) => listed(answer.alert_words) },
});

export const navigationViews = commands('navigationViews', 'Views in your sidebar', {
  list: { columns: { navigation_views: ['fragment', 'name', ['is_pinned', 'IN SIDEBAR']] } },
  add: {
    args: ['fragment', 'name'],
    defaults: { is_pinned: true },
    done: ({ parameters: { fragment, is_pinned } }) =>
      `Added "${oneLine(fragment.trim())}" ${is_pinned ? 'to the sidebar' : 'to the views outside the sidebar'}.`,
  },
  remove: { undo: 'navigation-views add' },
});

const listMuted = connectedCommand('list', {
  summary: 'List the users that you mute',
  examples: ['muted-users list'],
  run: ({ options, terminal, print }) =>
    withSession(options, async (session) => {
      const { muted_users } = await currentState(session, 'muted_users');
      const muted = muted_users as { id: number; timestamp: number }[];
      const ids = muted.map(({ id }) => id);
      const name = await userNames(session, ids);
      const text = tableOf(muted, terminal, { ID: 'id', NAME: ({ id }) => name(id), SINCE: 'timestamp' });
      print({ muted_users }, text || 'You have not muted any users.');
    }),
});

export const mutedUsers = commands(
  'mutedUsers',
  'Users that you mute',
  {
    add: { repeat: /already muted/, done: 'Muted {user muted_user_id}. Their messages are marked as read.' },
    remove: {
      undo: 'muted-users add',
      repeat: /not muted/,
      done: 'Unmuted {user muted_user_id}. Earlier messages stay read.',
    },
  },
  listMuted,
);

export const savedSnippets = commands('savedSnippets', 'Saved texts for messages', {
  list: { columns: { saved_snippets: ['id', 'title', ['content', 'TEXT']] } },
  create: { args: ['title'], stdin: { parameter: 'content' }, done: 'Saved "{title}" as snippet {saved_snippet_id}.' },
  remove: { confirm: 'Remove the snippet with ID {saved_snippet_id} permanently?' },
});
