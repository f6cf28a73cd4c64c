/**
 * A process that opens a new database at the same time as others. Arguments: address of the database, e-mail address of
 * the owner.
 */
import { once } from 'node:events';
import { openTenants } from '../../lib/index.ts';
import { type Address, storageAt } from '../storage/migration-places.ts';

const address: Address = JSON.parse(process.argv[2] ?? '');
const email = process.argv[3] ?? '';
const tenants = openTenants({
  storage: () => storageAt(address),
  async onOpen(chat) {
    const owner = await chat.ensureOrganization({ name: 'Example', owner: { email, full_name: 'Ada' } });
    process.send?.(owner);
  },
});
process.send?.('ready');
await once(process, 'message');
await tenants.with('only', () => undefined);
await tenants.close();
process.disconnect();
