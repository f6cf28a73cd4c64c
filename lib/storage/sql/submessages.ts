import type { Submessage, SubmessageStore } from '../interface/submessages.ts';
import { record } from './record.ts';
import type { Queries } from './store.ts';

const SUBMESSAGE = record<Submessage>({
  id: 'integer',
  message_id: 'integer',
  sender_id: 'integer',
  msg_type: 'text',
  content: 'text',
});

export const submessages: Queries<SubmessageStore> = {
  add: SUBMESSAGE.without('id').insert('submessages'),
  of: SUBMESSAGE.many(`SELECT ${SUBMESSAGE.columns} FROM submessages WHERE message_id IN_IDS(?) ORDER BY id`),
};
