import { places } from '../storage/migration-places.ts';
import { testBackupOfDemo } from './backups.ts';

for (const from of places) for (const to of places) testBackupOfDemo(from, to);
