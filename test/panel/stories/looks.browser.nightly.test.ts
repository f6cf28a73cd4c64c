/** Every story in all its looks: window sizes, colors, directions and clocks. */
import './alerts.browser.all.test.ts';
import './daily.browser.all.test.ts';
import './drafts.browser.all.test.ts';
import './hostile.browser.all.test.ts';
import './navigation.browser.all.test.ts';
import './own-account.browser.all.test.ts';
import './reading.browser.all.test.ts';
import './restarts.browser.all.test.ts';
import './screens.browser.all.test.ts';
import './scrolling-back.browser.all.test.ts';
import './sending.browser.all.test.ts';
import './signing-in.browser.all.test.ts';
import './typed-text.browser.all.test.ts';
import { playFurtherLooks } from './stage.ts';

playFurtherLooks();
