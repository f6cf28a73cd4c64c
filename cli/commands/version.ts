import { oneLine } from '../output/text.ts';
import { connectedCommand, withSession } from './local-command.ts';

export const versionCommand = connectedCommand('version', {
  summary: 'Print the version of chatctl and of a server',
  description: 'Print the version of chatctl. With --site or --profile, also the version of the server.',
  examples: ['version', 'version --site chat.example.com'],
  async run({ options, print }) {
    const { VERSION: version } = await import('../../lib/index.ts');
    if (options.site === undefined && options.profile === undefined && options.configFile === undefined)
      return print({ version }, version);
    const settings = await withSession(options, (session) => session.serverSettings.get(), 'anyone');
    const { realm_url, zulip_version, zulip_feature_level } = settings;
    const api = `the API of Zulip ${oneLine(zulip_version)}, feature level ${zulip_feature_level}`;
    print(
      { version, zulip_version, zulip_feature_level },
      `chatctl ${version}\n${oneLine(String(realm_url))} supports ${api}`,
    );
  },
});
