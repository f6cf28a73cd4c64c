/** Pages and dialogs about people. One file, fetched with the first use of any of them. */
export { OwnStatus, StatusDialog } from './own-status.tsx';
export { PeoplePage } from './people-page.tsx';
export { NewMessagePage } from './person-search.tsx';
export { Profile } from './profile.tsx';
