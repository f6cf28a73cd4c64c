import { ROLES_TO_CHOOSE, roleNamed } from '../arguments/parsers.ts';
import { warnOfLocalLink } from '../connection.ts';
import { UsageError } from '../failure.ts';
import { accountName } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';
import { ROLE_NAMES } from '../output/table.ts';
import { grantRightCommand } from './grant-right.ts';
import { importPeopleCommand } from './import-people.ts';

interface Change {
  full_name?: string | undefined;
  role?: number | undefined;
  new_email?: string | undefined;
}

/** The changes as text: `role moderator, name "Ben"`. */
export function changed({ role, full_name, new_email }: Change): string {
  return [
    ...(role === undefined ? [] : [`role ${ROLE_NAMES[role] ?? role}`]),
    // The server ignores an empty name or address.
    ...(full_name?.trim() ? [`name "${oneLine(full_name.trim())}"`] : []),
    ...(new_email?.trim() ? [`address ${oneLine(new_email.trim())}`] : []),
  ].join(', ');
}

export const edited = (who: string, what: string) =>
  what === '' ? `Nothing to change for ${who}.` : `Changed ${who}: ${what}.`;

/** Names the filters that no account matches. */
function noAccounts({ role, active, inactive, search }: Readonly<Record<string, unknown>>): string {
  const kind = active === true ? 'active ' : inactive === true ? 'deactivated ' : '';
  const parts = [
    ...(typeof role === 'string' ? [`the role ${oneLine(role)}`] : []),
    ...(typeof search === 'string' ? [`"${oneLine(search.trim())}" in name or address`] : []),
  ];
  return `There are no ${kind}accounts${parts.length === 0 ? '' : ` with ${parts.join(' and ')}`}.`;
}

export const users = commands(
  'users',
  'User accounts',
  {
    list: {
      columns: { members: ['user_id', 'full_name', 'delivery_email', 'role', 'is_bot', 'is_active'] },
      filters: {
        options: [
          ['--role <role>', `only accounts with this role: ${ROLES_TO_CHOOSE}`],
          ['--active', 'only active accounts'],
          ['--inactive', 'only deactivated accounts'],
          ['--search <text>', 'only accounts with this text in the name or e-mail address'],
        ],
        choose(answer, { role, active, inactive, search }) {
          const wanted = typeof role === 'string' ? roleNamed(role) : undefined;
          if (typeof role === 'string' && wanted === undefined) {
            throw new UsageError(`--role must be one of ${ROLES_TO_CHOOSE}.`);
          }
          const text = typeof search === 'string' ? search.trim().toLowerCase() : '';
          const members = answer.members.filter(
            (member) =>
              (wanted === undefined || member.role === wanted) &&
              (active !== true || member.is_active) &&
              (inactive !== true || !member.is_active) &&
              [member.full_name, member.delivery_email ?? '', member.email].some((one) =>
                one.toLowerCase().includes(text),
              ),
          );
          return { ...answer, members };
        },
      },
      empty: ({ options }) => noAccounts(options),
      examples: ['users list --role guest --inactive --search ali', 'users list --json'],
    },
    create: {
      args: ['email', 'full_name'],
      done: ({ parameters: { email, full_name }, answer: { user_id } }) =>
        `Created the account ${oneLine(`${full_name.trim()} <${email.trim()}>`)} (ID ${user_id}).`,
      examples: [
        'users create ben@example.com "Ben Ngo"',
        'users create ben@example.com --full-name "Ben Ngo" --password-stdin < password.txt',
      ],
    },
    ensure: {
      args: ['email', 'full_name'],
      done({ parameters, answer: { user_id, is_new, is_active } }) {
        const who = `${oneLine(String(parameters.email))} (ID ${user_id})`;
        if (is_new) return `Created the account ${who}.`;
        return is_active
          ? `The account ${who} already exists.`
          : `The account ${who} already exists and is deactivated.`;
      },
      examples: ['users ensure ben@example.com --full-name "Ben Ngo"'],
    },
    get: { args: ['user_id'], examples: ['users get ben@example.com', 'users get 9 --json'] },
    getByEmail: { args: ['email'] },
    edit: {
      args: ['user_id'],
      async before({ session, parameters: { user_id, ...change } }) {
        const who = await accountName(session, user_id);
        return () => edited(who, changed(change));
      },
      examples: ['users edit bob@example.com --role moderator', 'users edit 9 --full-name "Ben Ngo"'],
    },
    editByEmail: {
      args: ['email'],
      done: ({ parameters: { email, ...change } }) => edited(oneLine(email), changed(change)),
    },
    setPassword: {
      args: ['user_id'],
      async done({ session, parameters: { user_id, keep_api_key } }) {
        const key = keep_api_key ? '' : '. Their old API key is no longer valid';
        return `Set the password of ${await accountName(session, user_id)}${key}.`;
      },
      examples: ['users set-password ben@example.com --password-stdin < password.txt'],
    },
    createResetLink: {
      args: ['user_id'],
      aliases: ['reset-link'],
      async done({ session, parameters: { user_id }, answer, terminal }) {
        terminal.err(
          `Password reset link for ${await accountName(session, user_id)}. It works once and expires in 24 hours:`,
        );
        warnOfLocalLink(answer.reset_link, terminal);
        return answer.reset_link;
      },
      examples: ['users reset-link ben@example.com --db chat.db --base-url https://chat.example.com'],
    },
    getApiKey: { args: ['user_id'], done: ({ answer }) => answer.api_key },
    regenerateApiKey: {
      confirm: 'Replace your API key? Programs that use the current key lose access.',
      done({ answer, terminal }) {
        terminal.err('Your new API key (the old key is no longer valid):');
        return answer.api_key;
      },
    },
    createMany: {
      done({ answer: { people } }) {
        const outcomes = [...new Set(people.map(({ outcome }) => outcome))];
        const counts = outcomes.map((one) => `${people.filter(({ outcome }) => outcome === one).length} ${one}`);
        const faults = people.flatMap(({ outcome, reason }, at) =>
          outcome === 'failed' ? [`Account ${at + 1}: ${oneLine(reason ?? '')}`] : [],
        );
        return [`Accounts: ${counts.join(', ')}.`, ...faults].join('\n');
      },
      examples: ['users create-many --people \'[{"email": "ben@example.com", "full_name": "Ben Ngo"}]\''],
    },
    unlock: {
      args: ['user_id'],
      done: async ({ session, parameters: { user_id } }) =>
        `Unlocked ${await accountName(session, user_id)}. They can log in again.`,
    },
    deactivate: {
      args: ['user_id'],
      confirm: 'Deactivate this account and its bots?',
      done: async ({ session, parameters: { user_id } }) => `Deactivated ${await accountName(session, user_id)}.`,
    },
    deactivateMe: {
      confirm: 'Deactivate your own account?',
      done: () => 'Deactivated your account. An administrator can reactivate it.',
    },
    reactivate: {
      args: ['user_id'],
      done: async ({ session, parameters: { user_id } }) => `Reactivated ${await accountName(session, user_id)}.`,
    },
  },
  importPeopleCommand,
  grantRightCommand,
);
