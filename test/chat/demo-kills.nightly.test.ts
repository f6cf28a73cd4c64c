import { killDemos, POINTS } from './demo-kills.ts';

killDemos(POINTS.slice(0, -1), { repeatedly: true });
