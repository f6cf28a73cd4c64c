import { BadRequest, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { describe, id, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isBlank } from '../../../rules/names.ts';
import { creatorId, isModerator } from '../../../rules/roles.ts';

const MAX_OUTCOME = 1_000;

export const resolveReport = defineOperation({
  name: 'reports.resolve',
  http: 'POST /message_reports/{report_id}/resolve',
  summary: 'Resolve a report of a message (moderators)',
  description: 'Stores what was decided. Does not change the message. The reporter and the sender get no notice.',
  example: { report_id: 1, outcome: 'Deleted the message.' },
  access: 'user',
  effect: 'write',
  audited: true,
  params: {
    report_id: describe(id, 'ID of the report.'),
    outcome: describe(nonEmptyText(MAX_OUTCOME), `What was decided, at most ${MAX_OUTCOME} characters.`),
  },
  errors: [UnauthorizedPrincipal],
  async run({ tx, actor, now }, { report_id, outcome }) {
    if (!isModerator(actor)) throw new UnauthorizedPrincipal('an organization moderator');
    if (isBlank(outcome)) throw new BadRequest('outcome must say what was decided.');
    const report = await tx.reports.byId(report_id);
    const sender = report && (await tx.users.byId(report.sender_id));
    // Reports of messages of the caller or their bots would show who reported them.
    const isOwn = report?.sender_id === actor.id || sender?.bot_owner_id === actor.id;
    if (!report || isOwn) throw new BadRequest(`There is no report with ID ${report_id}.`);
    const resolved = { resolved_timestamp: Math.floor(now / 1000), resolver_id: creatorId(actor), outcome };
    if (!(await tx.reports.resolve(report_id, resolved)))
      throw new BadRequest(`The report with ID ${report_id} is already resolved.`);
  },
});
