import type { Submessage, SubmessageStore, SubmessageSummary } from '../interface/submessages.ts';
import { record } from './record.ts';
import { after, type Queries, row } from './store.ts';

const SUBMESSAGE = record<Submessage>({
  id: 'integer',
  message_id: 'integer',
  sender_id: 'integer',
  msg_type: 'text',
  content: 'text',
});

const summary = row<SubmessageSummary>(`
  SELECT COALESCE(SUM(LENGTH(content) + 100), 0) AS "all",
    COALESCE(SUM(CASE WHEN sender_id = ?2 THEN LENGTH(content) + 100 END), 0) AS own,
    (SELECT w.content FROM submessages w WHERE w.message_id = ?1 AND w.msg_type = 'widget' ORDER BY w.id LIMIT 1) AS widget,
    (SELECT 1 FROM submessages f JOIN messages m ON m.id = f.message_id AND m.sender_id = f.sender_id
      WHERE f.message_id = ?1 LIMIT 1) AS started
  FROM submessages WHERE message_id = ?1`);

export const submessages: Queries<SubmessageStore> = {
  summary: after(summary, (found) => found as SubmessageSummary),
  add: SUBMESSAGE.without('id').insert('submessages'),
  of: SUBMESSAGE.many(`SELECT ${SUBMESSAGE.columns} FROM submessages WHERE message_id IN_IDS(?) ORDER BY id`),
};
