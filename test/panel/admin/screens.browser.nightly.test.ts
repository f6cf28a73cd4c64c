import { OTHERS, screensOfAdministration } from './screens.ts';

screensOfAdministration(OTHERS);
