/** The parts of the app that a reader of messages does not need at first. */
import { lazy } from '../lazy.tsx';

const channels = () => import('./channels.ts');
const people = () => import('./people.ts');
const search = () => import('./search.ts');

export const Administration = lazy(async () => (await import('../admin/administration.tsx')).Administration);
export const BrowseChannelsPage = lazy(async () => (await channels()).BrowseChannelsPage);
export const ChannelMembers = lazy(async () => (await people()).ChannelMembers);
export const ChannelSettings = lazy(async () => (await channels()).ChannelSettings);
export const NewChannelPage = lazy(async () => (await channels()).NewChannelPage);
export const NewMessagePage = lazy(async () => (await people()).NewMessagePage);
export const PeoplePage = lazy(async () => (await people()).PeoplePage);
export const Profile = lazy(async () => (await people()).Profile);
export const SearchDialog = lazy(async () => (await search()).SearchDialog);
export const SearchHeading = lazy(async () => (await search()).SearchHeading);
export const SettingsPage = lazy(async () => (await import('./settings.tsx')).SettingsPage);
