import { wordList } from "./word-list.ts";

/** Last words of names below which nothing describes the present: former state, desired state, and other objects. */
export const SKIPPED_KEYS = wordList(`
  history template templates ref refs reference references spec specs trace traces provider annotations labels selector parameters
  deprecated logs events manifest values previous config configuration
`);

/** Names of texts and lists that hold an error; empty means none. */
export const ERROR_KEYS = wordList(`
  err errs errmsg errmessage error errors errormessage errorreason errormsg errordetails failure failures failurereason failuremessage failuredetails failurecause
`);

/** Names of texts and lists of an error that may be over: they count where nothing else is known. */
export const LAST_ERROR_KEYS = wordList(`
  lasterr lasterrmsg lasterror lasterrors lasterrormessage lastfailure lastfailuremessage lastfailurereason syncerror reconcileerror reconciliationerror
  lastsyncerror lastreconcileerror
`);

/** Names of texts that count as such where they begin by naming a failure. */
export const MESSAGE_KEYS = wordList("message statusmessage lastmessage");

/** Names of what an outside provider says of the object: only a failure there is about the object itself. */
export const PROVIDER_KEYS = wordList("atprovider");

/** Names of booleans that mean a fault when they are false. */
export const SOUND_FLAGS = wordList("healthy pass passed valid compliant sound ok operational");

/** Names of booleans that mean work when they are false. */
export const READY_FLAGS = wordList(`
  ready readytouse synced available initialized initialised provisioned reconciled deployed installed bound uptodate running
`);

/** Words of names of numbers of what is there. */
export const HAVE_WORDS = wordList("ready available updated healthy current ok");

/** Words of names of numbers of what is wanted. */
export const WANT_WORDS = wordList("desired expected wanted requested size replicas total");

/** Words of names of numbers that should be 0. */
export const LACK_WORDS = wordList("unavailable unready notready");

/** Words of names of numbers of what is ill now, not of what once failed. */
export const ILL_WORDS = wordList("failing unhealthy degraded");

/** What may be counted as ill: another noun is that of a limit or of a time, such as unhealthyThreshold. */
export const ILL_NOUNS = wordList("component node worker target service resource backend endpoint shard volume server host check cluster");

/** Words of names of numbers that say nothing about what is counted. */
export const COUNT_FILLERS = wordList("number num count of total scheduled replica replicas pod pods size instances members desired");

/** Names of the time at which something began, and of the one at which it ended. */
export const START_KEYS = wordList("starttime startedat starttimestamp startat");
export const END_KEYS = wordList(
  "completiontime completedat completiontimestamp finishedat finishtime endtime endedat finishtimestamp stoptime",
);

/** Last words of kinds that run to an end. */
export const RUN_KINDS = wordList("run job task workflow backup restore build migration operation snapshot test import export experiment");
