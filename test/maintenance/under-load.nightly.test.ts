import { places } from '../storage/migration-places.ts';
import { testBackupUnderLoad } from './under-load.ts';

type Place = (typeof places)[number];
const [sqlite, other, postgres] = places as [Place, Place, Place];

testBackupUnderLoad(postgres, sqlite);
testBackupUnderLoad(other, sqlite);
