/** Every story in all its looks: window sizes, colors and directions. */
import './hostile.browser.long.test.ts';
import './reading.browser.long.test.ts';
import './restarts.browser.long.test.ts';
import './screens.browser.long.test.ts';
import './scrolling-back.browser.long.test.ts';
import './sending.browser.long.test.ts';
import './signing-in.browser.long.test.ts';
import './tabs.browser.long.test.ts';
import './typed-text.browser.long.test.ts';
import { playFurtherLooks } from './stage.ts';

playFurtherLooks();
