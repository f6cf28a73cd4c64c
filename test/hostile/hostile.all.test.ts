import { testAttacks } from './hostile.ts';

testAttacks('SQLite', 40);
