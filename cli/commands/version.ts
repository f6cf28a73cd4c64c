import { Command } from 'commander';
import { chooseConnection } from '../connection.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { openSession } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';

/** `chatctl version`: the version of chatctl, and of a server if an option names one. */
export function versionCommand(terminal: Terminal): Command {
  const command = new Command('version')
    .summary('Print the version of chatctl and of a server')
    .description('Print the version of chatctl. With --site or --profile, also the version of the server.');
  addExamples(command, ['version', 'version --site chat.example.com']);
  addGlobalOptions(command);
  return command.action(async () => {
    const options = globalOptions(command);
    const { VERSION: version } = await import('../../lib/index.ts');
    if (options.site === undefined && options.profile === undefined && options.configFile === undefined) {
      return options.json ? showJson({ version }, terminal) : terminal.out(version);
    }
    const { session, close } = await openSession(chooseConnection(options), 'anyone');
    const { realm_url, zulip_version, zulip_feature_level } = await session.serverSettings.get().finally(close);
    if (options.json) return showJson({ version, zulip_version, zulip_feature_level }, terminal);
    terminal.out(`chatctl ${version}`);
    terminal.out(
      `${oneLine(String(realm_url))} supports the API of Zulip ${oneLine(zulip_version)}, feature level ${zulip_feature_level}`,
    );
  });
}
