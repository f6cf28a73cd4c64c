import { playDays } from './year.ts';

playDays(40);
