import { killImports } from './import.ts';
import { ENGINES } from './victims.ts';

killImports(['Mattermost', 'Zulip'], ENGINES.slice(0, 1));
// It differs in its transactions, not in the exports.
killImports(['Slack'], ENGINES.slice(1));
