/** Rare stories, and every story in all its looks: window sizes, colors, directions and clocks. */
import './accounts.browser.all.test.ts';
import './alerts.browser.all.test.ts';
import './column.browser.all.test.ts';
import './composing.browser.all.test.ts';
import './daily.browser.all.test.ts';
import './drafts.browser.all.test.ts';
import './everyday.browser.all.test.ts';
import './files.browser.all.test.ts';
import './finding.browser.all.test.ts';
import './hostile.browser.all.test.ts';
import './keyboard.browser.all.test.ts';
import './navigation.browser.all.test.ts';
import './own-account.browser.all.test.ts';
import './reading.browser.all.test.ts';
import './restarts.browser.all.test.ts';
import './screens.browser.all.test.ts';
import './scrolling-back.browser.nightly.test.ts';
import './sending.browser.all.test.ts';
import './signing-in.browser.all.test.ts';
import './typed-text.browser.all.test.ts';
import { playNightly } from './stage.ts';

playNightly();
