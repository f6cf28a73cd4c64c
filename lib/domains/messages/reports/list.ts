import * as v from 'valibot';
import { UnauthorizedPrincipal } from '../../../base/errors.ts';
import { choice, describe, id, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isModerator } from '../../../rules/roles.ts';

const MAX_LISTED = 100;

const reportObject = v.object({
  id: describe(v.number(), 'ID of the report.'),
  message_id: describe(v.number(), 'The message. It may be deleted, or you may not be able to read it.'),
  sender_id: describe(v.number(), 'Sender of the message.'),
  reporter_id: describe(v.number(), 'User who reported it.'),
  report_type: describe(v.string(), 'Reason, as in `messages.report`.'),
  description: describe(v.string(), 'Details that the reporter gave.'),
  content: describe(v.string(), 'Markdown of the message when it was reported.'),
  timestamp: describe(v.number(), 'When it was reported; UNIX seconds.'),
  resolved_timestamp: describe(v.nullable(v.number()), 'null while the report is open.'),
  resolver_id: describe(v.nullable(v.number()), 'User who resolved it. null for the program that embeds the chat.'),
  outcome: describe(v.nullable(v.string()), 'What was decided. null while the report is open.'),
});

export const listReports = defineOperation({
  name: 'reports.list',
  http: 'GET /message_reports',
  summary: 'List reports of messages (moderators)',
  description: `Newest first, at most ${MAX_LISTED} reports. For older reports, pass the last ID as \`before_id\`. Shows the text of the message also if you cannot read its conversation, but nothing else of it. Leaves out reports of your own messages and those of your bots.`,
  access: 'user',
  params: {
    status: optional(choice(['open', 'resolved']), '`open` or `resolved`.', 'open'),
    before_id: optional(id, 'Only reports with lower IDs.'),
  },
  result: v.object({
    reports: describe(v.array(reportObject), 'Newest first.'),
    found_oldest: describe(v.boolean(), 'Whether the list contains the oldest report.'),
  }),
  errors: [UnauthorizedPrincipal],
  async run({ tx, actor }, { status, before_id = Number.MAX_SAFE_INTEGER }) {
    if (!isModerator(actor)) throw new UnauthorizedPrincipal('an organization moderator');
    const wanted = { isOpen: status === 'open', beforeId: before_id, exceptSender: actor.id };
    const found = await tx.reports.list({ ...wanted, limit: MAX_LISTED + 1 });
    return { reports: found.slice(0, MAX_LISTED), found_oldest: found.length <= MAX_LISTED };
  },
});
