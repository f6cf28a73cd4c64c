import type { Linkifier, LinkifierStore } from '../interface/linkifiers.ts';
import type { Connection } from './connection.ts';
import { orderedList, SqlOrderedList } from './ordered-list.ts';
import { record } from './record.ts';

const LINKIFIERS = orderedList(
  'linkifiers',
  record<Linkifier>({ id: 'integer', pattern: 'text', url_template: 'text' }),
);

export class SqlLinkifiers extends SqlOrderedList<Linkifier> implements LinkifierStore {
  constructor(connection: Connection) {
    super(connection, LINKIFIERS);
  }
}
