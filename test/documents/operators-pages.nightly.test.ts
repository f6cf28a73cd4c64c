import { playSessions, SESSIONS } from './operators-sessions.ts';

const { accounts, otherHost, nightlyBackup } = SESSIONS;
playSessions('PostgreSQL', [accounts, otherHost, nightlyBackup]);
