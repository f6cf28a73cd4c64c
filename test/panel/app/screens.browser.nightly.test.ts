import { OTHER_WAYS, screensOfApp } from './screens.ts';

screensOfApp(OTHER_WAYS);
