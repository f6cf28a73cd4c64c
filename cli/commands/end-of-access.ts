import type { Session } from '../../lib/index.ts';
import { counted, isGuarded, present, ROLE_NAMES } from '../../lib/internal.ts';
import { ifReadable, userNames } from '../lookups.ts';
import { currentState } from './local-command.ts';

const MAX_NAMED = 20;

type Role = Parameters<typeof isGuarded>[1];

interface Raise {
  ids?: readonly number[];
  email?: string | undefined;
  role: Role | undefined;
}

/**
 * Says which accounts start over, because their new role needs a second factor and the present one does not. Reads the
 * present roles now, and returns the text for those whose change was not refused.
 */
export async function endOfAccess(
  session: Session,
  { ids = [], email, role }: Raise,
): Promise<(refused: readonly number[]) => string | undefined> {
  const none = () => undefined;
  if (role === undefined || role >= present(ROLE_NAMES.get('member'))) return none;
  const state = await ifReadable(currentState(session, 'realm'));
  const settings = {
    password_login: state?.realm_email_auth_enabled,
    second_factor_required_for: state?.realm_second_factor_required_for,
  };
  if (!isGuarded({ settings }, role)) return none;
  const accounts = await ifReadable(
    email === undefined
      ? session.users.list({ user_ids: [...ids] }).then(({ members }) => members)
      : session.users.getByEmail({ email }).then(({ user }) => [user]),
  );
  const raised = accounts?.filter((account) => !isGuarded({ settings }, account.role as Role)) ?? [];
  const name = await userNames(
    session,
    raised.map(({ user_id }) => user_id),
  );
  return (refused) =>
    textFor(
      raised.filter(({ user_id }) => !refused.includes(user_id)),
      name,
    );
}

function textFor(raised: readonly { user_id: number; is_bot: boolean }[], name: (id: number) => string) {
  const named = (accounts: typeof raised) =>
    accounts.length > MAX_NAMED
      ? counted(accounts.length, 'account')
      : accounts.map(({ user_id }) => name(user_id)).join(', ');
  const [people, bots] = [raised.filter(({ is_bot }) => !is_bot), raised.filter(({ is_bot }) => is_bot)];
  const lines: string[] = [];
  const idOf = ([only, ...others]: typeof raised) => (only && others.length === 0 ? only.user_id : 'ID');
  if (people.length > 0) {
    lines.push(
      `This role needs a second factor. So this ends for ${named(people)}: password, logins, API key, reset links, and a pending change of the address.`,
      'A person who had a password gets an e-mail with a link to choose another one.',
      `If your server sends no e-mail, create the link: chatctl users create-reset-link ${idOf(people)}`,
    );
  }
  if (bots.length > 0) {
    lines.push(
      `This role needs a second factor. So the API key of ${named(bots)} ends.`,
      `Get the new one: chatctl bots get-api-key ${idOf(bots)}`,
    );
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}
