import type { ADMIN_WORDS } from '../admin/admin-words.ts';
import type { ORGANIZATION_WORDS } from '../admin/organization-words.ts';
import type { ALERT_WORDS } from './alert-words.ts';
import type { APP_WORDS } from './app-words.ts';
import type { COLUMN_WORDS } from './column-words.ts';
import type { CONVERSATION_WORDS, TextsOf } from './conversation-words.ts';
import type { DEFERRED_WORDS } from './deferred-words.ts';
import type { DRAFTS_WORDS } from './drafts-words.ts';
import type { LATER_WORDS } from './later-words.ts';
import type { NAVIGATION_WORDS } from './navigation-words.ts';
import type { OVERLAY_WORDS } from './overlay-words.ts';
import type { OVERVIEW_WORDS } from './overview-words.ts';
import type { PEOPLE_WORDS } from './people-words.ts';
import type { PUSH_WORDS } from './push-words.ts';
import type { SEARCH_WORDS } from './search-words.ts';
import type { SETTINGS_WORDS } from './settings-words.ts';
import type { TOOLS_WORDS } from './tools-words.ts';
import type { VIEWER_WORDS } from './viewer-words.ts';
import type { WIDGET_WORDS } from './widget-words.ts';

/** All texts of the panel. Those with names or counts are functions. */
export type Words = TextsOf<
  typeof CONVERSATION_WORDS &
    typeof DEFERRED_WORDS &
    typeof OVERLAY_WORDS &
    typeof OVERVIEW_WORDS &
    typeof NAVIGATION_WORDS &
    typeof APP_WORDS &
    typeof COLUMN_WORDS &
    typeof ADMIN_WORDS &
    typeof ORGANIZATION_WORDS &
    typeof ALERT_WORDS &
    typeof PEOPLE_WORDS &
    typeof PUSH_WORDS &
    typeof SEARCH_WORDS &
    typeof SETTINGS_WORDS &
    typeof DRAFTS_WORDS &
    typeof LATER_WORDS &
    typeof TOOLS_WORDS &
    typeof VIEWER_WORDS &
    typeof WIDGET_WORDS
>;
