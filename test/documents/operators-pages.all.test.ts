import { playSessions, SESSIONS } from './operators-sessions.ts';

const { backup, storage, downgrade } = SESSIONS;
playSessions('SQLite', Object.values(SESSIONS));
// The documented rights suffice.
playSessions('PostgreSQL', [backup, storage, downgrade]);
