import { runCases } from '../../world/run-cases.ts';
import { libraryOnPostgres, selections } from './shells.ts';

const { others, rest } = selections(libraryOnPostgres);
runCases(others, libraryOnPostgres);
runCases(rest, libraryOnPostgres);
