/** Pages and dialogs about channels. One file, fetched with the first use of any of them. */
export { AddChannels } from './add-channels.tsx';
export { BrowseChannelsPage } from './browse-channels.tsx';
export { ChannelSettings, NewChannelPage } from './channel-settings.tsx';
