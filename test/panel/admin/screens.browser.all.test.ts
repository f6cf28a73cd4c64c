import { NARROW, screensOfAdministration } from './screens.ts';

screensOfAdministration(NARROW);
