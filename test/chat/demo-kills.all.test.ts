import { killDemos, POINTS } from './demo-kills.ts';

killDemos(POINTS.slice(-1), { repeatedly: false });
