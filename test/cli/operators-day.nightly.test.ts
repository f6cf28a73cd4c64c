import { playDay } from './operators-day.ts';

playDay('SQLite');
