import { playSessions, SESSIONS } from './operators-sessions.ts';

const { backup, storage, accounts, downgrade } = SESSIONS;
playSessions('SQLite', [backup, storage, accounts, downgrade]);
// The documented rights suffice.
playSessions('PostgreSQL', [storage]);
