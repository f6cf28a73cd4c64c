import { playSessions, SESSIONS } from './operators-sessions.ts';

const { backup, accounts, downgrade, otherHost, nightlyBackup } = SESSIONS;
playSessions('SQLite', [otherHost, nightlyBackup]);
playSessions('PostgreSQL', [backup, accounts, downgrade, otherHost, nightlyBackup]);
