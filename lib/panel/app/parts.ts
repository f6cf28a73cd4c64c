/** The parts of the app that a reader of messages does not need at first. */
import { lazy } from '../lazy.tsx';

const channels = () => import('./channels.ts');
export const navigation = () => import('./navigation.ts');
const menus = () => import('./menus.ts');
const overview = () => import('./overview.ts');
const people = () => import('./people.ts');
const search = () => import('./search.ts');

export const Administration = lazy(async () => (await import('../admin/administration.tsx')).Administration);
export const AddChannels = lazy(async () => (await channels()).AddChannels);
export const BrowseChannelsPage = lazy(async () => (await channels()).BrowseChannelsPage);
export const ChannelActions = lazy(async () => (await menus()).ChannelActions);
export const ChannelSettings = lazy(async () => (await channels()).ChannelSettings);
export const Column = lazy(async () => (await import('./column/column.tsx')).Column);
export const DraftsPage = lazy(async () => (await import('./drafts/drafts-page.tsx')).DraftsPage);
export const InboxPage = lazy(async () => (await overview()).InboxPage);
export const NewChannelPage = lazy(async () => (await channels()).NewChannelPage);
export const NewMessagePage = lazy(async () => (await people()).NewMessagePage);
export const OwnActions = lazy(async () => (await menus()).OwnActions);
export const OwnStatus = lazy(async () => (await people()).OwnStatus);
export const PeoplePage = lazy(async () => (await people()).PeoplePage);
export const Profile = lazy(async () => (await people()).Profile);
export const QuickSwitcher = lazy(async () => (await navigation()).QuickSwitcher);
export const RecentPage = lazy(async () => (await overview()).RecentPage);
export const SearchDialog = lazy(async () => (await search()).SearchDialog);
export const SearchHeading = lazy(async () => (await search()).SearchHeading);
export const SearchResults = lazy(async () => (await search()).SearchResults);
export const SettingsPage = lazy(async () => (await import('./settings.tsx')).SettingsPage);
export const ShortcutHelp = lazy(async () => (await navigation()).ShortcutHelp);
export const StatusDialog = lazy(async () => (await people()).StatusDialog);
export const TopicActions = lazy(async () => (await menus()).TopicActions);
