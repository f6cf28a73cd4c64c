/** The pages that list conversations. One file, fetched with the first use. */
export { InboxPage } from './inbox.tsx';
export { RecentPage } from './recent.tsx';
