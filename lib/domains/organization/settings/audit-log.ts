import * as v from 'valibot';
import { between, describe, id, optional, preciseTimestamp, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';

const MAX_ENTRIES = 1_000;

const entryObject = v.object({
  id: describe(v.number(), 'Number of the entry. Numbers have gaps.'),
  timestamp: describe(v.number(), 'UNIX seconds. For repeated refusals: the last time.'),
  action: describe(v.string(), 'Name of the operation, or `authenticate` for a wrong API key.'),
  user_id: describe(v.nullable(v.number()), 'User who did it; for a sign-in, the account. null if unknown.'),
  status: describe(v.number(), 'HTTP status: 200, or that of the error.'),
  code: describe(v.nullable(v.string()), 'Error code. null for a success.'),
  details: describe(v.record(v.string(), v.unknown()), 'Numbers of the request, and which texts it had.'),
  client: describe(v.string(), 'Name of the client program.'),
  network: describe(v.nullable(v.string()), 'Network address of a refused caller. null for a success.'),
  times: describe(v.number(), 'How often it happened: equal refusals share one entry.'),
});

export const listAuditLog = defineOperation({
  name: 'organization.auditLog',
  http: 'GET /realm/audit_log',
  summary: 'Read the audit log (owners)',
  description:
    'Actions of administrators and owners, deleted and moved messages of others, logins, and refused requests. Entries contain the numbers of a request but not its texts. Refusals appear after a few seconds. For older entries, pass the lowest ID as `before_id`.',
  access: 'owner',
  params: {
    before_id: optional(id, 'Only entries with lower IDs.'),
    since: optional(preciseTimestamp, 'Only entries since this time; UNIX seconds.', 0),
    user_id: optional(id, 'Only actions of this user, and logins to the account.'),
    action: optional(text(100), 'Only this operation, such as `users.edit`.'),
    stream_id: optional(id, 'Only actions in this channel.'),
    limit: optional(between(1, MAX_ENTRIES), `At most this number of entries, up to ${MAX_ENTRIES}.`, 100),
  },
  result: v.object({
    entries: describe(v.array(entryObject), 'Newest first.'),
    found_oldest: describe(v.boolean(), 'Whether the list contains the oldest entry.'),
  }),
  extent: () => 'scan',
  async run({ tx }, { before_id, since, user_id, action, stream_id, limit }) {
    const found = await tx.audit.list({
      since: since * 1000,
      beforeId: before_id,
      userId: user_id,
      action,
      channelId: stream_id,
      limit: limit + 1,
    });
    const entries = found.reverse().slice(0, limit);
    return {
      entries: entries.map(({ at_ms, request: _, ...entry }) => ({ ...entry, timestamp: Math.floor(at_ms / 1000) })),
      found_oldest: found.length <= limit,
    };
  },
});
