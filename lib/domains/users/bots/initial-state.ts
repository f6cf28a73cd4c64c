import type { Snapshot } from '../../../kernel/context.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { botView } from './view.ts';

/** The bots the caller may administer. */
export async function botsState({ context }: Snapshot) {
  const { tx, actor, organization, services } = context;
  await services.directory.refresh(tx, organization);
  const bots = [...services.directory.all()].filter(
    (user) =>
      user.bot_type !== null && !user.is_system_bot && (isAdministrator(actor) || user.bot_owner_id === actor.id),
  );
  return { realm_bots: bots.map(botView) };
}
