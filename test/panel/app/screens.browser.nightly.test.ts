import { screensOfApp, WAYS } from './screens.ts';

screensOfApp(WAYS);
