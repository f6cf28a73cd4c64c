import { predictedByDryRuns } from './dry-run.ts';

predictedByDryRuns({ isWhole: true });
