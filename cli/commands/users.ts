import type { Session } from '../../lib/index.ts';
import { ROLES_TO_CHOOSE, roleNamed } from '../arguments/parsers.ts';
import { chooseConnection, warnOfLocalLink } from '../connection.ts';
import { withChat } from '../database.ts';
import { UsageError } from '../failure.ts';
import { accountName, fold, userNames } from '../lookups.ts';
import { idOrName } from '../names.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine, tableOf } from '../output/text.ts';
import { endOfAccess } from './end-of-access.ts';
import { exportPerson } from './export.ts';
import { importPeople } from './import-people.ts';
import { connectedCommand } from './local-command.ts';

const RIGHTS = ['can_change_user_emails'] as const;

/** `users grant USER RIGHT`: permissions that the API cannot grant. It changes the database directly. */
const grantRight = connectedCommand<{ revoke?: boolean }>('grant', {
  summary: 'Grant a special permission to an account',
  description:
    'Grant a special permission to an account. Works only with --db, not over the API. can_change_user_emails lets an owner change the e-mail addresses of other users.',
  args: [
    ['<user>', 'e-mail address or ID'],
    ['<right>', RIGHTS.join(', ')],
  ],
  options: [['--revoke', 'remove the permission']],
  examples: ['users grant ada@example.com can_change_user_emails --db chat.db'],
  async run({ args: [user = '', right = ''], options, print }) {
    const permission = RIGHTS.find((known) => known === right);
    if (!permission) throw new UsageError(`Unknown permission ${right}.`, `Permissions: ${RIGHTS.join(', ')}.`);
    const connection = chooseConnection(options);
    if (connection.kind === 'site') throw new UsageError('This command needs a database: use --db.');
    const isGranted = !options.revoke;
    await withChat(connection, async ({ chat }) => {
      const { user_id, full_name } = await chat.setSpecialPermission(idOrName(user), permission, isGranted);
      const sentence = `${oneLine(full_name)} ${isGranted ? 'has' : 'no longer has'} ${permission}.`;
      print({ user_id, [permission]: isGranted }, sentence);
    });
  },
});

const ACCOUNT_COLUMNS = { members: ['user_id', 'full_name', 'delivery_email', 'role', 'is_bot', 'is_active'] } as const;

const ERASED = 'Erases name, addresses, profile, settings, drafts, devices, sessions, mentions and search words.';

type ErasureAnswer = Awaited<ReturnType<Session['users']['erase']>>;

/** What happens to messages, files and bots of an erased person. */
function erasureText(
  { message_count, file_count, export_count, bot_ids }: ErasureAnswer,
  messages: 'keep' | 'anonymize' | 'delete' = 'keep',
): string {
  const outcome = { keep: 'kept as they are', anonymize: 'anonymized', delete: 'deleted' }[messages];
  const lines = [`Messages ${outcome}: ${message_count}`, `Files deleted: ${file_count}`];
  if (export_count > 0) lines.push(`Exports of the organization deleted: ${export_count}`);
  if (bot_ids.length > 0) lines.push(`Bots deactivated, not erased: IDs ${bot_ids.join(', ')}`);
  return lines.join('\n');
}

export const users = commands(
  'users',
  'User accounts',
  {
    list: {
      columns: { members: [...ACCOUNT_COLUMNS.members, 'has_second_factor'] },
      filters: {
        options: [
          ['--role <role>', `only accounts with this role: ${ROLES_TO_CHOOSE}`],
          ['--active', 'only active accounts'],
          ['--inactive', 'only deactivated accounts'],
          ['--search <text>', 'only accounts with this text in the name or e-mail address'],
        ],
        choose(answer, { role, active, inactive, search }) {
          const wanted = typeof role === 'string' ? roleNamed(role) : undefined;
          if (typeof role === 'string' && wanted === undefined)
            throw new UsageError(`--role must be one of ${ROLES_TO_CHOOSE}.`);
          const text = typeof search === 'string' ? fold(search) : '';
          const members = answer.members.filter(
            (member) =>
              (wanted === undefined || member.role === wanted) &&
              (active !== true || member.is_active) &&
              (inactive !== true || !member.is_active) &&
              [member.full_name, member.delivery_email ?? '', member.email].some((name) => fold(name).includes(text)),
          );
          return { ...answer, members };
        },
      },
      examples: ['users list --role guest --inactive --search ali', 'users list --json'],
    },
    search: {
      args: ['query'],
      columns: ACCOUNT_COLUMNS,
      empty: 'No account matches.',
      flags: { stream_id: '--channel <channel>' },
      examples: ['users search al', 'users search al --channel general --json'],
    },
    create: {
      args: ['email', 'full_name'],
      done: 'Created the account {full_name} <{email}> (ID {user_id}).',
      examples: [
        'users create ben@example.com "Ben Ngo"',
        'users create ben@example.com "Ben Ngo" --password-stdin < password.txt',
      ],
    },
    ensure: {
      args: ['email', 'full_name'],
      done({ parameters, answer: { user_id, is_new, is_active, adopted } }) {
        const who = `${oneLine(String(parameters.email))} (ID ${user_id})`;
        if (is_new) return `Created the account ${who}.`;
        const state = is_active ? 'already exists' : 'already exists and is deactivated';
        const ended = adopted === 'reset' ? ' The access of its earlier user has ended.' : '';
        return `The account ${who} ${state}.${ended}`;
      },
      examples: [
        'users ensure ben@example.com --full-name "Ben Ngo"',
        'users ensure ben@example.com --full-name "Ben Ngo" --adopt reset',
      ],
    },
    edit: {
      parsers: { profile_data: 'profile data' },
      each: 'user_id',
      done: 'Changed {user user_id}: {changes}.',
      also: ({ session, parameters: { user_id, role } }) => endOfAccess(session, { ids: [user_id].flat(), role }),
      examples: ['users edit bob@example.com cleo@example.com --role moderator', 'users edit 9 --full-name "Ben Ngo"'],
    },
    editByEmail: {
      parsers: { profile_data: 'profile data' },
      done: 'Changed {email}: {changes}.',
      also: ({ session, parameters: { email, role } }) => endOfAccess(session, { email, role }),
    },
    setPassword: {
      async done({ session, parameters: { user_id, keep_api_key } }) {
        const key = keep_api_key ? '' : '. Their old API key is no longer valid';
        return `Set the password of ${await accountName(session, user_id)}${key}.`;
      },
      examples: ['users set-password ben@example.com --password-stdin < password.txt'],
    },
    createResetLink: {
      aliases: ['reset-link'],
      async done({ session, parameters: { user_id }, answer, terminal }) {
        warnOfLocalLink(answer.reset_link, terminal);
        terminal.err(
          `Password reset link for ${await accountName(session, user_id)}. It works once and expires in 24 hours:`,
        );
        return answer.reset_link;
      },
      examples: ['users reset-link ben@example.com --db chat.db --base-url https://chat.example.com'],
    },
    getApiKey: { done: '{api_key}' },
    regenerateApiKey: {
      confirm: 'Replace your API key? Programs that use the current key lose access.',
      done({ answer, terminal, connection }) {
        if (connection.kind === 'site' && connection.source !== 'the command line')
          terminal.err(`The old key is still in ${connection.source}. Replace it, or run \`chatctl auth login\`.`);
        terminal.err('Your new API key (the old key is no longer valid):');
        return answer.api_key;
      },
    },
    createMany: {
      done({ answer: { people } }) {
        const outcomes = [...new Set(people.map(({ outcome }) => outcome))];
        const counts = outcomes.map((each) => `${people.filter(({ outcome }) => outcome === each).length} ${each}`);
        const faults = people.flatMap(({ outcome, reason }, at) =>
          outcome === 'failed' ? [`Account ${at + 1}: ${oneLine(reason ?? '')}`] : [],
        );
        return [`Accounts: ${counts.join(', ')}.`, ...faults].join('\n');
      },
    },
    unlock: { done: 'Unlocked {user user_id}. They can log in again.' },
    resetSecondFactor: {
      confirm: 'Remove the second factor of {user user_id}? Make sure that the request comes from them.',
      done: 'Removed the second factor of {user user_id}.',
      examples: ['users reset-second-factor ben@example.com'],
    },
    endLogins: { confirm: 'End all logins of {user user_id}?', done: 'Ended all logins of {user user_id}.' },
    deactivate: {
      each: 'user_id',
      confirm: 'Deactivate {user user_id} and their bots?',
      repeat: /already deactivated/,
      done: 'Deactivated {user user_id}.',
    },
    deactivateMe: {
      confirm: 'Deactivate your own account?',
      done: 'Deactivated your account. An administrator can reactivate it.',
    },
    erase: {
      async preview({ session, parameters }) {
        const { answer } = await session.dryRun.users.erase(parameters);
        return `${ERASED}\n${erasureText(answer, parameters.messages)}`;
      },
      confirm: 'Erase {user user_id} permanently?',
      async before({ session, parameters: { user_id, messages }, connection }) {
        const name = await accountName(session, user_id);
        return (answer, dryRun) => {
          const worker = connection.kind === 'site' ? 'The server removes' : 'A server with this database removes';
          const done = `Erased ${name}, now "Deleted user ${user_id}". ${worker} the rest in the background.`;
          return `${dryRun ? ERASED : done}\n${erasureText(answer, messages)}`;
        };
      },
      examples: ['users erase ben@example.com --dry-run', 'users erase ben@example.com --messages delete --yes'],
    },
    block: {
      done: 'Blocked {user user_id}. Their messages are marked as read, and they cannot send you direct messages.',
      examples: ['users block ben@example.com'],
    },
    unblock: { undo: 'users block', done: 'Unblocked {user user_id}. Earlier messages stay read.' },
    listBlocked: {
      async done({ session, answer: { blocked_users }, terminal }) {
        const name = await userNames(
          session,
          blocked_users.map(({ id }) => id),
        );
        return tableOf(blocked_users, terminal, { ID: 'id', NAME: ({ id }) => name(id), SINCE: 'timestamp' });
      },
      empty: 'You have not blocked any users.',
    },
    reactivate: { each: 'user_id', repeat: /already active/, done: 'Reactivated {user user_id}.' },
  },
  importPeople,
  exportPerson,
  grantRight,
);

export const passwords = commands('passwords', 'Reset a forgotten password', {
  requestReset: { args: ['email'], done: 'If {email} has an account, a reset link will be sent to it.' },
  checkReset: { args: ['token'] },
  reset: {
    args: ['token'],
    done: ({ answer: { email, api_key }, parameters: { keep_api_key } }) => {
      const key =
        api_key === undefined
          ? 'Your role needs a second factor: log in with a browser to set it up.'
          : `${keep_api_key ? 'API key (unchanged)' : 'New API key'}: ${api_key}`;
      return `Set the password of ${oneLine(email)}. ${key}`;
    },
    examples: ['passwords reset TOKEN --password-stdin < password.txt'],
  },
});

export const tokens = commands('tokens', 'Logins for a limited time', {
  create: {
    // Stdout gets only the token, so that a program can read it.
    done({ answer: { token, token_id, expires_at }, terminal }) {
      terminal.err(`The token with ID ${token_id} works until ${new Date(expires_at * 1000).toISOString()}:`);
      return token;
    },
    examples: [
      'tokens create --ttl-seconds 600',
      'tokens create --scopes read --json=token,expires_at',
      'tokens create --rooms order-17',
    ],
  },
  revoke: {
    confirm: 'End this login? Without --token-id, all tokens and browser logins end.',
    done: ({ parameters: { token_id } }) =>
      token_id === undefined ? 'Ended all tokens and browser logins.' : `Ended the token ${oneLine(token_id)}.`,
    examples: ['tokens revoke --token-id 1795766605-k3Jd9sQx_a1b', 'tokens revoke --user ben@example.com --yes'],
  },
});
