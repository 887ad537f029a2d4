package testfolder

import "syscall"

// memory is the folder that Linux keeps in memory. A container has 64 MB there unless it says otherwise, and a run that
// was killed leaves its files.
const memory = "/dev/shm"

// InMemory gives a folder that the machine keeps in memory, if it has one with so many bytes of room.
func InMemory(room uint64) (folder string, ok bool) { return memory, free(memory) >= room }

// free gives how many bytes can still be written below a folder, 0 where that is not known.
func free(folder string) uint64 {
	var of syscall.Statfs_t
	if syscall.Statfs(folder, &of) != nil {
		return 0
	}
	return of.Bavail * uint64(of.Bsize)
}
