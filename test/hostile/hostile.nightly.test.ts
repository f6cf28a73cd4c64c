import { testAttacks } from './hostile.ts';

testAttacks('SQLite', 200);
testAttacks('PostgreSQL', 200);
