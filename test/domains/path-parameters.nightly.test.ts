import { inPaths, testPathParameters } from './path-parameters.ts';

testPathParameters(inPaths);
