import { killImports } from './import.ts';
import { ENGINES } from './victims.ts';

killImports(['Slack'], ENGINES.slice(0, 1));
